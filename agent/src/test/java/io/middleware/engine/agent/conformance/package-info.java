/** What the protocol promises of every agent, as cases that any agent can be held against. */
package io.middleware.engine.agent.conformance;
