/** The agent process: its settings, and its assembly for Redis, for commands and for a restore. */
package io.middleware.engine.agent;
