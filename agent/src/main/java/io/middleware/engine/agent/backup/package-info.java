/** Actions on backups, whatever they are backups of. */
@NullMarked
package io.middleware.engine.agent.backup;

import org.jspecify.annotations.NullMarked;
