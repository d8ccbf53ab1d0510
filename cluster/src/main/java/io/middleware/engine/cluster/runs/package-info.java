/**
 * Asks Temporal about runs of workflows: which one is running, whether one is over; cancels one.
 */
@NullMarked
package io.middleware.engine.cluster.runs;

import org.jspecify.annotations.NullMarked;
