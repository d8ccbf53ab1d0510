/** Expands volumes. */
package io.middleware.engine.activities.volumes;
