/**
 * Plays the kubelet for pods of Redis: runs a real process for each pod, on the pod's IP, with the
 * pod's configuration and volumes.
 */
package io.middleware.engine.simulator.host;
