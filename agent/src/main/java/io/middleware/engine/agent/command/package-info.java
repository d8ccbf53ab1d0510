/**
 * Actions and questions that are commands or HTTP requests: any program that the pod has, run as
 * the Plugin says; its processes, input and output.
 */
package io.middleware.engine.agent.command;
