/**
 * What Operations and drains do to pods: switch primaries over, rebuild replicas, and keep data and
 * volumes when pods leave.
 */
package io.middleware.engine.activities.maintenance;
