/**
 * Plays the kubelet and the DNS for pods that ask for real processes: each container is a process
 * of this machine, with a root of its own, on the pod's IP.
 */
package io.middleware.engine.simulator.host;
