/** A command for Plugin authors: renders an App with a Plugin, without a cluster. */
@NullMarked
package io.middleware.engine.worker.render;

import org.jspecify.annotations.NullMarked;
