/** Pods that join the cluster of their group, and leave it, one at a time. */
package io.middleware.engine.activities.members;
