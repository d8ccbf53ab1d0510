/** The kind Plugin: what its author says of a middleware. */
package io.middleware.engine.api.plugin;
