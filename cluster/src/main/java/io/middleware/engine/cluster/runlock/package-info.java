/**
 * The run lock, by which one run at a time writes for an App: taking, renewing, checking and
 * leaving it.
 */
@NullMarked
package io.middleware.engine.cluster.runlock;

import org.jspecify.annotations.NullMarked;
