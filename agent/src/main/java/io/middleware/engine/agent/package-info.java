/** The agent process: settings and what runs by them. */
package io.middleware.engine.agent;
