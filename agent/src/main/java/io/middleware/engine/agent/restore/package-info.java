/** Begins the volume of an empty pod with a backup, before its Redis starts. */
package io.middleware.engine.agent.restore;
