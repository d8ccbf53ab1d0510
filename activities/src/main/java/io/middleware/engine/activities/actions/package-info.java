/** Runs the actions and hooks of a Plugin, by agents or as Jobs. */
package io.middleware.engine.activities.actions;
