/**
 * Runs the actions and hooks of a Plugin, by agents or as Jobs: on which pods, what is known of
 * their runs, and how they end.
 */
package io.middleware.engine.activities.actions;
