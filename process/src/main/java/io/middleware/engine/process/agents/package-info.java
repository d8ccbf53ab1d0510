/** Connections to the agents in the pods, in clear or with the certificates of a Secret. */
@NullMarked
package io.middleware.engine.process.agents;

import org.jspecify.annotations.NullMarked;
