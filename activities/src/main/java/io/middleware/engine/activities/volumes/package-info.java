/** Expands volumes, and finds the volume claims of StatefulSets. */
@NullMarked
package io.middleware.engine.activities.volumes;

import org.jspecify.annotations.NullMarked;
