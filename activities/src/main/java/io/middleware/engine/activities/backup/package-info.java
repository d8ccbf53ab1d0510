/** Takes backups through the agents, keeps their records, and deletes their copies. */
package io.middleware.engine.activities.backup;
