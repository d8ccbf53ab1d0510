/**
 * Plays the kubelet for pods that ask for a real process: Redis with the pod's configuration and
 * volumes, on the pod's IP, or the command of a Job.
 */
package io.middleware.engine.simulator.host;
