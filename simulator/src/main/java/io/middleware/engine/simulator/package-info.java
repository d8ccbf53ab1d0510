/** The simulator process of the local environment: its settings and its start. */
@NullMarked
package io.middleware.engine.simulator;

import org.jspecify.annotations.NullMarked;
