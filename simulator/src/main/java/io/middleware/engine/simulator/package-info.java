/** The simulator process of the local environment: its settings and its start. */
package io.middleware.engine.simulator;
