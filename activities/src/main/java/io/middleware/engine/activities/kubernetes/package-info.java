/** The activities that read and write the cluster, and what they share: faults, the fence, views. */
package io.middleware.engine.activities.kubernetes;
