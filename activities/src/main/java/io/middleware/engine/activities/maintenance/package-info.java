/** Switches primaries over, drains and rebuilds pods. */
package io.middleware.engine.activities.maintenance;
