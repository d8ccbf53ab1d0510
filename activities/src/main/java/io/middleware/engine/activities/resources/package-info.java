/**
 * Begins and ends a task on its Component; writes, rolls back and removes Groups and the objects
 * that are rendered for them.
 */
package io.middleware.engine.activities.resources;
