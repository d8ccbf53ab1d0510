/**
 * The gRPC server of the agent, and its answers: roles, orders, reloads and operations in progress.
 */
package io.middleware.engine.agent.server;
