/** Backups: how far each one is, the workflow that takes it, and the removal of its copies. */
@NullMarked
package io.middleware.engine.watcher.backup;

import org.jspecify.annotations.NullMarked;
