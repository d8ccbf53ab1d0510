/** Actions on backups, whatever they are backups of. */
package io.middleware.engine.agent.backup;
