/** Actions that are commands: any program that the pod has, run as the Plugin says. */
package io.middleware.engine.agent.command;
