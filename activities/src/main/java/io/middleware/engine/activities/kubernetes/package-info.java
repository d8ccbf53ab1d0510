/** What all activities share of the cluster: faults, the fence, views, waiting, impersonation. */
package io.middleware.engine.activities.kubernetes;
