/** The process that observes Apps: it signals their workflows and mirrors health and metadata. */
package io.middleware.engine.watcher;
