/** Grows volumes. */
package io.middleware.engine.activities.volumes;
