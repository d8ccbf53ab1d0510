/** Writes and deletes Components, Groups and the objects that are rendered for them. */
package io.middleware.engine.activities.resources;
