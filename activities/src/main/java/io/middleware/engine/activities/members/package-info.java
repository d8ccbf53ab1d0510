/** Pods that join the cluster of their group, and leave it, one at a time. */
@NullMarked
package io.middleware.engine.activities.members;

import org.jspecify.annotations.NullMarked;
