/**
 * Plays the kubelet for simulated pods of Redis: a real process for each, on the pod's own IP, with
 * the pod's own configuration and volumes.
 */
package io.middleware.engine.simulator.host;
