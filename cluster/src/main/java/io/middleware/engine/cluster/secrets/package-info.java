/** The Secrets that Apps use: whether their values exist and have changed, never what they are. */
@NullMarked
package io.middleware.engine.cluster.secrets;

import org.jspecify.annotations.NullMarked;
