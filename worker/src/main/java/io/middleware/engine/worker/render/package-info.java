/** A command for authors of Plugins: tries one on an App, without a cluster. */
package io.middleware.engine.worker.render;
