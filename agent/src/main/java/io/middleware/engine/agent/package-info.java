/** The agent process: its settings and its assembly. */
package io.middleware.engine.agent;
