/**
 * Checks rendered objects before the first write: refuses access beyond the group, one rule a
 * class, and sets the fields that the engine relies on.
 */
package io.middleware.engine.render.guard;
