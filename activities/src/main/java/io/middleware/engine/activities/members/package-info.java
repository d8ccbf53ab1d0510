/**
 * Pods that join the cluster of their group, and leave it, one at a time: their moves, and the
 * volume claims that they find.
 */
@NullMarked
package io.middleware.engine.activities.members;

import org.jspecify.annotations.NullMarked;
