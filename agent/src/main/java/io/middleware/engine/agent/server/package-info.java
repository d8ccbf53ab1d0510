/** The agent's answers, and the gRPC server that gives them. */
package io.middleware.engine.agent.server;
