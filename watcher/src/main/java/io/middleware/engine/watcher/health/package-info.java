/** Mirrors the health of pods into the status of Groups, Components and Apps. */
package io.middleware.engine.watcher.health;
