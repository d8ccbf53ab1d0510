/** The workflows that take a Backup and delete its copies, and the Backup before an upgrade. */
package io.middleware.engine.workflows.backup;
