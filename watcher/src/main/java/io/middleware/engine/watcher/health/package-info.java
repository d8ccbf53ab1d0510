/**
 * Mirrors the health of pods into the status of Groups, Components and Apps: phase, Ready, problems
 * of roles and volumes, and when each is written.
 */
package io.middleware.engine.watcher.health;
