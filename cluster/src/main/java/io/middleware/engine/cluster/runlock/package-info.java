/**
 * The run lock, by which one run at a time writes for an App or carries an Operation out: taking,
 * renewing, checking and leaving it; the gate while an App is paused.
 */
@NullMarked
package io.middleware.engine.cluster.runlock;

import org.jspecify.annotations.NullMarked;
