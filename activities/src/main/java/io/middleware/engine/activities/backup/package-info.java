/**
 * Takes Backups through the agents: begins them, copies groups, keeps their records, statuses and
 * events, and deletes copies.
 */
package io.middleware.engine.activities.backup;
