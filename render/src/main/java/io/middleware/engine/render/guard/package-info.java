/**
 * Checks rendered objects before the first write: refuses access beyond the group, and sets the
 * fields that the engine relies on.
 */
package io.middleware.engine.render.guard;
