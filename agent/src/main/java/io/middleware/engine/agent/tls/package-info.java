/** The certificates of the middleware, which the pod mounts. */
@NullMarked
package io.middleware.engine.agent.tls;

import org.jspecify.annotations.NullMarked;
