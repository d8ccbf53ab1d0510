/** A command for Plugin authors: renders an App with a Plugin, without a cluster. */
package io.middleware.engine.worker.render;
