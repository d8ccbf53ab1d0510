/** Writes Components, Groups and what is rendered for them, and takes them away again. */
package io.middleware.engine.activities.resources;
