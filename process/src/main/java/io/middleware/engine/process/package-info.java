/** What each of the engine's processes needs to live: settings, connections, signs of life. */
package io.middleware.engine.process;
