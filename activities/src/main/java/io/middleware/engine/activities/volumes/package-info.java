/** Expands volumes. */
@NullMarked
package io.middleware.engine.activities.volumes;

import org.jspecify.annotations.NullMarked;
