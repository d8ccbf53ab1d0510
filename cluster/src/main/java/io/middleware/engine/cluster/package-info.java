/** What all activities share for access to the cluster: faults, views, waiting, impersonation. */
package io.middleware.engine.cluster;
