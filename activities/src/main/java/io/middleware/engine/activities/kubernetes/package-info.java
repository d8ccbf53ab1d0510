/**
 * What all activities share for access to the cluster: faults, the run lock's fence, views,
 * waiting, impersonation.
 */
package io.middleware.engine.activities.kubernetes;
