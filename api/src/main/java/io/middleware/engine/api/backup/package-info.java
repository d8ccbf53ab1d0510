/** The kinds Backup and BackupStore: copies of an App's data, and where they are kept. */
package io.middleware.engine.api.backup;
