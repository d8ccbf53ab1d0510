/** The workflows that take a Backup and delete its copies, and the Backup before an upgrade. */
@NullMarked
package io.middleware.engine.workflows.backup;

import org.jspecify.annotations.NullMarked;
