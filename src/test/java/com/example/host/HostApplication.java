package com.example.host;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The smallest gateway there is: nothing in it knows of the plugin. */
@SpringBootApplication(proxyBeanMethods = false)
public class HostApplication {

	public static void main(String[] args) {
		SpringApplication.run(HostApplication.class, args);
	}

}
